"""A small fine-tuned encoder: from a question and a catalogue to the planner's decisions, each with its probability."""
