-- Events that few books have many of and that are asked for by their name: who was forgotten, and
-- what is disputed. The index costs other saves nothing but the look at a name.
CREATE INDEX rare_events ON {book}.events (topic, epoch, xid, ord)
    WHERE topic IN ('dispute-opened', 'player-forgotten');
