-- The place of the calendars of working time, which are built beside this.
select 1;
