-- Names are found whichever way they are written: the key folds ё to е from now on (packages/domain/src/name-search.ts).
update members set display_name_key = replace(display_name_key, 'ё', 'е') where display_name_key like '%ё%';
