-- Which cluster this is, read once a session: each save asks for it (see `check_save` in 0001), and
-- the server would read it from a file each time. No session outlives its cluster, and what is
-- immutable is computed when a session plans its first save.
CREATE FUNCTION {book}.cluster() RETURNS text LANGUAGE sql IMMUTABLE AS $body$
    SELECT c.system_identifier::text FROM pg_control_system() c
$body$;

CREATE OR REPLACE FUNCTION {book}.check_save() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE EXCEPTION 'a save is one INSERT and the first write of its transaction'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF (SELECT l.system_identifier FROM {book}.lineage l ORDER BY l.epoch DESC LIMIT 1)
       IS DISTINCT FROM {book}.cluster() THEN
        RAISE EXCEPTION 'the book was written in another cluster; run: contoposta adopt'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN NULL;
END $body$;
