"""What happens after the answer: events, tasks, queues, messages, and catching up."""
