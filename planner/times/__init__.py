"""Time expressions, Chinese and English: `find_times(question, today)` and `TimeSpan.as_filter(field_type)`."""

from planner.times.combine import find_times
from planner.times.errors import TimeError
from planner.times.spans import TimeSpan

__all__ = ["TimeError", "TimeSpan", "find_times"]
