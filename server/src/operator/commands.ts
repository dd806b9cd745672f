/**
 * What `npm run operator` says and does, without the way to the database. Addresses are shown to
 * the operator and written to no log.
 */
import { parseArgs } from 'node:util'
import type { UserRow } from '#server/db/rows.ts'
import { SECURITY_EVENTS, type SecurityEventName } from '#server/db/security-log.ts'
import {
  listAccounts,
  lockAccount,
  lookAtAccount,
  readSecurityLog,
  unlockAccount,
  type OperatorCtx,
} from '#server/operations/accounts/security/accounts.ts'
import { auditLedger } from '#server/operations/core/ledger/audit.ts'
import { differenceLine } from '#server/operations/core/ledger/books.ts'
import type { ReportsCtx } from '#server/operations/media/reports/steps.ts'
import { REPORTS_HELP, runReports, type OperatorAnswer } from './reports.ts'

/** What commands need: those on accounts, and those on reports. */
type CommandCtx = OperatorCtx & ReportsCtx

const HELP = [
  'npm run operator -- COMMAND, with the settings of the server (ONECUT_DATA_DIR or DATABASE_URL)',
  '',
  '  accounts [--limit 50]            the newest accounts: id, address, since, state',
  '  account NAME                     one account, by id or address; the look is recorded',
  '  lock NAME                        sign it out everywhere and let it sign in no more',
  '  unlock NAME                      let it sign in again',
  '  log [--account NAME] [--event EVENT] [--limit 200]',
  '                                   the security log, a line of JSON for each event',
  '  audit                            compare all books of tokens and money',
  ...REPORTS_HELP,
  '',
  'Events of the log:',
  ...Object.entries(SECURITY_EVENTS).map(([name, text]) => `  ${name.padEnd(20)} ${text}`),
]

type Command = (ctx: CommandCtx, given: Given) => Promise<OperatorAnswer>
interface Given {
  readonly name: string | null
  readonly limit: number | null
  readonly account: string | null
  readonly event: string | null
  /** Everything behind the command; only `reports` takes more than a name. */
  readonly args: readonly string[]
  readonly note: string | null
  readonly file: string | null
  readonly all: boolean
}

const COMMANDS: Readonly<Record<string, Command>> = {
  help: () => Promise.resolve(done(HELP)),
  accounts: async (ctx, { limit }) =>
    done((await listAccounts(ctx, { limit: limit ?? 50 })).map(accountLine)),
  account: async (ctx, { name }) => {
    if (name === null) return failed('Say which account: its id or its address.')
    const found = await lookAtAccount(ctx, { name })
    if (found === null) return unknownAccount(name)
    const { user, ...numbers } = found
    return done([
      `id        ${user.id}`,
      `address   ${user.email}`,
      `since     ${user.createdAt.toISOString()}`,
      `state     ${stateOf(user)}`,
      ...Object.entries(numbers).map(([what, number]) => `${what.padEnd(9)} ${number}`),
    ])
  },
  lock: async (ctx, given) => await change(ctx, given, lockAccount),
  unlock: async (ctx, given) => await change(ctx, given, unlockAccount),
  reports: async (ctx, given) => await runReports(ctx, given),
  audit: async (ctx) => {
    const { transactions, differences, differenceCount } = await auditLedger(ctx)
    const rows = `${transactions} ${transactions === 1 ? 'transaction' : 'transactions'}`
    return differenceCount === 0
      ? done([`The books agree: ${rows}.`])
      : {
          isDone: false,
          lines: [
            `The books do not agree (${rows}); differences: ${differenceCount}.`,
            ...differences.map(differenceLine),
          ],
        }
  },
  log: async (ctx, { account, event, limit }) => {
    if (event !== null && !isEvent(event))
      return failed(`There is no event "${event}"; \`npm run operator -- help\` lists them.`)
    const found = account === null ? null : await lookAtAccount(ctx, { name: account })
    if (account !== null && found === null) return unknownAccount(account)
    const userId = found?.user.id ?? null
    const rows = await readSecurityLog(ctx, { userId, event, limit: limit ?? 200 })
    return done(
      rows.map((row) =>
        JSON.stringify({
          at: row.at.toISOString(),
          event: row.event,
          userId: row.userId,
          client: row.clientHash,
          ...row.facts,
        }),
      ),
    )
  },
}

/** Runs one command. */
export async function runOperator(
  ctx: CommandCtx,
  args: readonly string[],
): Promise<OperatorAnswer> {
  const given = readArgs(args)
  if (typeof given === 'string') return failed(given)
  const command = Object.hasOwn(COMMANDS, given.command) ? COMMANDS[given.command] : undefined
  return command === undefined
    ? failed(`There is no command "${given.command}"; try \`npm run operator -- help\`.`)
    : await command(ctx, given)
}

/** What was asked for, or one sentence that says what is wrong with it. */
function readArgs(args: readonly string[]): (Given & { readonly command: string }) | string {
  try {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        limit: text,
        account: text,
        event: text,
        note: text,
        file: text,
        decided: { type: 'boolean' },
      },
    })
    const [command = 'help', ...words] = positionals
    const [name = null, ...rest] = words
    if (command !== 'reports' && rest.length > 0) return `"${rest.join(' ')}" was not expected.`
    const { limit = null, account = null, event = null, note = null, file = null } = values
    if (limit !== null && !/^[1-9]\d{0,4}$/.test(limit))
      return `--limit is "${limit}", but it must be a whole number from 1 to 99999.`
    const number = limit === null ? null : Number(limit)
    const all = values.decided === true
    return { command, name, args: words, account, event, note, file, all, limit: number }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function change(
  ctx: OperatorCtx,
  { name }: Given,
  act: typeof lockAccount,
): Promise<OperatorAnswer> {
  if (name === null) return failed('Say which account: its id or its address.')
  const user = await act(ctx, { name })
  return user === null ? unknownAccount(name) : done([accountLine(user)])
}

function accountLine(user: UserRow): string {
  return [user.id, user.email, user.createdAt.toISOString(), stateOf(user)].join('\t')
}

function stateOf({ deletedAt, lockedAt, deletionRequestedAt }: UserRow): string {
  if (deletedAt !== null) return 'deleted'
  if (lockedAt !== null) return `locked since ${lockedAt.toISOString()}`
  return deletionRequestedAt === null ? 'open' : 'waits to be deleted'
}

function isEvent(name: string): name is SecurityEventName {
  return Object.hasOwn(SECURITY_EVENTS, name)
}

function unknownAccount(name: string): OperatorAnswer {
  return failed(`There is no account "${name}"; \`npm run operator -- accounts\` lists them.`)
}

function done(lines: readonly string[]): OperatorAnswer {
  return { isDone: true, lines }
}

function failed(sentence: string): OperatorAnswer {
  return { isDone: false, lines: [sentence] }
}
