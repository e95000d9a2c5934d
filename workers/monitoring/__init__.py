"""RTP monitoring: actual returns and outcomes held against chance, and alerts where they part."""
