/** Whether two databases have the same tables: a line for all that the schema `public` holds. */
export const DESCRIBE_TABLES = `
  select line from (
    select format('column %s %s %s %s not null %s identity %s default %s', c.relname, a.attnum,
      a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
      pg_get_expr(d.adbin, d.adrelid)) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
    -- Since PostgreSQL 18 "not null" has an entry of its own here.
    union all select format('constraint %s %s', conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(t.oid) from pg_trigger t
    where not t.tgisinternal and t.tgrelid in (
      select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select pg_get_functiondef(oid)
    from pg_proc where pronamespace = 'public'::regnamespace
    union all select format('sequence %s %s %s %s', sequencename, data_type, increment_by, cycle)
    from pg_sequences where schemaname = 'public'
  ) lines order by line collate "C"`
