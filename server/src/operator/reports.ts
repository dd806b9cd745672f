/** `npm run operator -- reports …`: docs/reports.md says when to use which. */
import {
  findReport,
  findUploads,
  findUploadsOfFile,
  listReports,
  lookAtReport,
  uploadsHeldBy,
  type FoundUpload,
  type ReportFacts,
} from '#server/operations/media/reports/look.ts'
import { releaseUpload, removeUpload, type Outcome } from '#server/operations/media/reports/hold.ts'
import { recordStep, type ReportsCtx } from '#server/operations/media/reports/steps.ts'
import { holdUpload } from '#server/operations/workflows/upload-held.ts'
import type { ReportRow } from '#server/db/rows.ts'

/** Lines to print; a failed command has one sentence that says what to do. */
export interface OperatorAnswer {
  readonly isDone: boolean
  readonly lines: readonly string[]
}

export const REPORTS_HELP = [
  '  reports list [--decided] [--limit 50] the open reports with the time left; also those that are decided',
  '  reports show RECEIPT                  one report with its log; the look is recorded',
  '  reports find NAME | --file PATH       uploads by the id of an upload, job, asset or account, by address,',
  '                                        or by the SHA-256 of a file on this machine',
  '  reports hold RECEIPT ID [--note TEXT]     hold an upload (or the one of a job) and stop its work',
  '  reports release RECEIPT [ID] [--note TEXT]  give back what the report holds',
  '  reports remove RECEIPT [ID] [--note TEXT]   delete for good what the report holds',
  '  reports reject RECEIPT [--note TEXT]      decide that nothing has to be done',
] as const

/** What was typed behind `reports`. */
export interface ReportsGiven {
  readonly args: readonly string[]
  readonly limit: number | null
  readonly note: string | null
  readonly file: string | null
  readonly all: boolean
}

type Command = (ctx: ReportsCtx, given: ReportsGiven) => Promise<OperatorAnswer>

const COMMANDS: Readonly<Record<string, Command>> = {
  list: async (ctx, { limit, all }) => {
    const found = await listReports(ctx, { limit: limit ?? 50, all })
    return done(found.length === 0 ? ['No open reports.'] : found.map((one) => lineOf(ctx, one)))
  },
  show: async (ctx, { args: [receiptNumber = ''] }) => {
    const found = await lookAtReport(ctx, { receiptNumber })
    return found === null ? unknownReport(receiptNumber) : done(wholeReport(found))
  },
  find: async (ctx, { args: [name], file }) => {
    if (name === undefined && file === null)
      return failed('Say what to find: an id, an address, or --file PATH.')
    const found =
      file === null
        ? await findUploads(ctx, { name: name ?? '' })
        : await findUploadsOfFile(ctx, { path: file })
    return found.length === 0 ? failed('There is no such upload.') : done(found.map(uploadLine))
  },
  hold: async (ctx, given) => await actOnNamed(ctx, given, holdUpload),
  release: async (ctx, given) => await actOnHeld(ctx, given, releaseUpload),
  remove: async (ctx, given) => await actOnHeld(ctx, given, removeUpload),
  reject: async (ctx, { args: [receiptNumber = ''], note }) => {
    const report = await findReport(ctx, { receiptNumber })
    if (report === null) return unknownReport(receiptNumber)
    if ((await uploadsHeldBy(ctx, { reportId: report.id })).length > 0)
      return failed('This report holds uploads; release or remove them first.')
    await recordStep(ctx, { reportId: report.id, step: 'rejected', uploadRequestId: null, note })
    return done([`${report.receiptNumber}\trejected`])
  },
}

/** Runs one command on reports. */
export async function runReports(ctx: ReportsCtx, given: ReportsGiven): Promise<OperatorAnswer> {
  const [name = 'list', ...args] = given.args
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return command === undefined
    ? failed(`There is no command "reports ${name}"; try \`npm run operator -- help\`.`)
    : await command(ctx, { ...given, args })
}

type Act = typeof holdUpload

async function actOnNamed(ctx: ReportsCtx, given: ReportsGiven, act: Act): Promise<OperatorAnswer> {
  const [receiptNumber = '', name] = given.args
  const report = await findReport(ctx, { receiptNumber })
  if (report === null) return unknownReport(receiptNumber)
  if (name === undefined)
    return failed('Say which upload: its id, or the id of a job or asset; `reports find` finds it.')
  const [upload, ...more] = await findUploads(ctx, { name })
  if (upload === undefined || more.length > 0)
    return failed(
      upload === undefined
        ? `There is no upload "${name}"; \`npm run operator -- reports find\` finds them.`
        : `"${name}" has ${more.length + 1} uploads; name one of them.`,
    )
  return await actOn(ctx, { report, ids: [upload.id], note: given.note, act })
}

async function actOnHeld(ctx: ReportsCtx, given: ReportsGiven, act: Act): Promise<OperatorAnswer> {
  const [receiptNumber = '', name] = given.args
  const report = await findReport(ctx, { receiptNumber })
  if (report === null) return unknownReport(receiptNumber)
  const held = await uploadsHeldBy(ctx, { reportId: report.id })
  const named = name === undefined ? null : (await findUploads(ctx, { name })).map(({ id }) => id)
  const ids = held.filter((id) => named === null || named.includes(id))
  if (ids.length === 0) return failed(`The report ${report.receiptNumber} does not hold that.`)
  return await actOn(ctx, { report, ids, note: given.note, act })
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  done: 'done',
  'not-there': 'it is not on this server any more',
  'not-held': 'it is not held',
  'held-by-another-report': 'still held by another report',
}

async function actOn(
  ctx: ReportsCtx,
  {
    report,
    ids,
    note,
    act,
  }: {
    readonly report: ReportRow
    readonly ids: readonly string[]
    readonly note: string | null
    readonly act: Act
  },
): Promise<OperatorAnswer> {
  const lines: string[] = []
  let isDone = true
  for (const uploadRequestId of ids) {
    const outcome = await act(ctx, { reportId: report.id, uploadRequestId, note })
    isDone &&= outcome === 'done' || outcome === 'held-by-another-report'
    lines.push(`${uploadRequestId}\t${OUTCOMES[outcome]}`)
  }
  return { isDone, lines }
}

function lineOf(
  { clock }: Pick<ReportsCtx, 'clock'>,
  { report, standing, dueAt }: ReportFacts,
): string {
  const at = report.receivedAt.toISOString()
  return [report.receiptNumber, at, report.relation, standing, timeLeft(dueAt, clock())].join('\t')
}

function timeLeft(dueAt: Date | null, now: Date): string {
  if (dueAt === null) return '-'
  const hours = Math.floor((dueAt.getTime() - now.getTime()) / 3_600_000)
  return hours < 0 ? `${-hours} h over` : `${hours} h left`
}

/** What strangers typed may try to steer the terminal. */
function shown(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}

function wholeReport({ report, steps, standing }: ReportFacts): string[] {
  return [
    `receipt   ${report.receiptNumber}`,
    `received  ${report.receivedAt.toISOString()}`,
    `standing  ${standing}`,
    `relation  ${report.relation}`,
    `video     ${shown(report.video)}`,
    `reason    ${shown(report.reason)}`,
    `signed    ${shown(report.signature)}`,
    `contact   ${report.contact}`,
    'log',
    ...steps.map(({ at, actor, step, uploadRequestId, note }) =>
      `  ${[at.toISOString(), actor, step, uploadRequestId ?? '-', shown(note ?? '')].join('\t')}`.trimEnd(),
    ),
  ]
}

function uploadLine(upload: FoundUpload): string {
  const { id, userId, purpose, state, sizeBytes, createdAt, heldAt } = upload
  const standing = heldAt === null ? state : `${state}, held since ${heldAt.toISOString()}`
  return [
    id,
    userId,
    purpose,
    createdAt.toISOString(),
    sizeBytes,
    standing,
    shown(upload.clientFilename),
  ].join('\t')
}

function unknownReport(receiptNumber: string): OperatorAnswer {
  return failed(
    receiptNumber === ''
      ? 'Say which report: its receipt number.'
      : `There is no report "${receiptNumber}"; \`npm run operator -- reports list --decided\` lists them.`,
  )
}

function done(lines: readonly string[]): OperatorAnswer {
  return { isDone: true, lines }
}

function failed(sentence: string): OperatorAnswer {
  return { isDone: false, lines: [sentence] }
}
