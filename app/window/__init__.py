"""The parts of the main window: its layout, and what it does with answers, results and errors."""
