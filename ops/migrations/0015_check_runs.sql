-- Checks of the book against itself that workers make in bites: the newest run of each. What is
-- carried from bite to bite is attested with a key that the database does not hold.
CREATE TABLE {book}.check_runs (
    name text PRIMARY KEY,
    begun timestamptz NOT NULL,
    size bigint NOT NULL,
    bites int NOT NULL CHECK (bites >= 0),
    found bytea NOT NULL,
    carried bytea,
    is_over boolean NOT NULL,
    signature bytea NOT NULL
);
COMMENT ON TABLE {book}.check_runs IS
    'What the newest run of each check has found so far, and what its next bite is given.';

GRANT SELECT, INSERT, UPDATE ON {book}.check_runs TO {worker};
GRANT SELECT ON {book}.check_runs TO {writer}, {reader};
