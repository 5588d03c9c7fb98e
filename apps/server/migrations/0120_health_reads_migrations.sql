-- A running server compares the applied migrations with those that it was written for.
GRANT SELECT ON migrations TO fairtick_reader;
