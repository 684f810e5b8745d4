"""How the local planner is made: authored triples, random worlds, training, export."""
