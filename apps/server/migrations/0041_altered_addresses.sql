-- A stored deposit address that the account's key does not make is somebody's to look at.
GRANT INSERT ON incidents TO fairtick_money;
