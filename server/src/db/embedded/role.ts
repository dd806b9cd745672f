import type { Client } from 'pg'
import { CLUSTER_OWNER } from './initialise.ts'

/**
 * The role of the server: it owns its database and what is in it, and nothing else. A superuser
 * could read and write files and start programs by SQL.
 */
export const APP_ROLE = 'onecut_app'

/** Makes the role unless it is there. Call it before its database is made. */
export async function ensureAppRole(client: Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [APP_ROLE])
  if (rowCount !== 0) return
  // 42710, 23505: made by a process that starts beside us.
  await client
    .query(`create role ${APP_ROLE} login nosuperuser nocreatedb nocreaterole`)
    .catch((error: { code?: string }) => {
      if (error.code !== '42710' && error.code !== '23505') throw error
    })
}

/**
 * Gives the app's role what the cluster's owner still has in this database: all of it in data
 * folders from before the role, and tables that an older Onecut made since. In one transaction; at
 * a start that finds nothing to give, it only looks.
 * @param client connected to the database as the cluster's owner
 */
export async function giveToAppRole(client: Client, database: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [ROLE_LOCK])
    const { rows } = await client.query<{ statement: string }>(STATEMENTS, [
      CLUSTER_OWNER,
      APP_ROLE,
      database,
    ])
    for (const { statement } of rows) await client.query(statement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Any number that nothing else in this database locks: "role" in ASCII. */
const ROLE_LOCK = 0x726f6c65

/**
 * What has to be said, in this order. Sequences of columns and types of tables follow their tables;
 * the system's own schemas stay.
 */
const STATEMENTS = `
  with mine as (select oid from pg_roles where rolname = $1),
  ours as (
    select oid, nspname from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
  ),
  found as (
    select 1 as step, format('alter database %I owner to %I', datname, $2::text) as statement
    from pg_database where datname = $3 and datdba in (select oid from mine)
    union all
    select 2, format('alter schema %I owner to %I', nspname, $2::text)
    from pg_namespace join ours using (oid, nspname) where nspowner in (select oid from mine)
    union all
    select 3, format(
      'alter %s %I.%I owner to %I',
      case relkind
        when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
        when 'f' then 'foreign table' else 'table'
      end,
      nspname, relname, $2::text
    )
    from pg_class join ours on ours.oid = relnamespace
    where relowner in (select oid from mine) and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')
          and relkind = 'S'
      )
    union all
    select 4, format('alter routine %s owner to %I', pg_proc.oid::regprocedure, $2::text)
    from pg_proc join ours on ours.oid = pronamespace where proowner in (select oid from mine)
    union all
    select 5, format('alter type %I.%I owner to %I', nspname, typname, $2::text)
    from pg_type join ours on ours.oid = typnamespace
    where typowner in (select oid from mine) and typtype in ('e', 'd')
  )
  select statement from found order by step`
