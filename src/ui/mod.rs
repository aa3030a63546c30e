//! Draws the model: a pure function to a frame.
