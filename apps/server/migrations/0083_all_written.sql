-- For statements that write a known number of rows and whose COMMIT travels with them: one that was not found undoes all.
CREATE FUNCTION all_written(written bigint, meant integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF written <> meant THEN
    RAISE EXCEPTION '% of % rows were written', written, meant USING ERRCODE = 'data_exception';
  END IF;
  RETURN true;
END
$$;
