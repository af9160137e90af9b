-- Whether somebody has proven an address, apart from whether the account may be linked by it.

-- Something that opens the account is older than the proof of its address: somebody else may have had the account before. No provider links
-- it then until its owner has proven that it is theirs. Until now such an address counted as proven by nobody.
alter table users add has_older_ways boolean not null default false;
