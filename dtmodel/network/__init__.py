"""Closed loop: hosts with senders that react, links, switches, and experiments that run policies on paired draws."""
