import { setTimeout as delay } from 'node:timers/promises'
import type { FastClock } from './fast-time.ts'
import type { FaultWorld } from './fault-world.ts'
import type { FaultRule } from './faults.ts'
import type { TestFile } from './test-files.ts'
import { createUploadClient, type ClientTab, type UploadClient } from './upload-client.ts'
import type { components } from '#openapi/schema.gen.ts'
import type { TestClient } from '#tests/setup/client.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { UploadKind } from '#src/local/db/upload-states.ts'

const LOOK_EVERY_MS = 50
/** States in which nothing happens until a person acts. */
const STILL: ReadonlySet<UploadKind> = new Set<UploadKind>([
  'needs-auth',
  'needs-permission',
  'needs-file',
  'conflict',
  'paused',
  'expired',
  'failed',
  'done',
])

/** A running upload of one device. */
export interface ClientRun {
  readonly client: UploadClient
  readonly uploadId: string
  tab(): ClientTab
  /**
   * Resolves once the row is so. Rejects with what is known of the upload as soon as only a person
   * could change it.
   */
  until(isSo: (row: UploadRow) => boolean): Promise<UploadRow>
  /** Resolves when nothing happens without a person anymore. */
  untilStill(): Promise<UploadRow>
  /** Closes the tab, as a person does; the device keeps what it has. */
  leave(): Promise<void>
  /** Opens the app again. */
  reopen(): Promise<void>
  /** Kills the tab, then opens another one. */
  killAndReopen(): Promise<void>
  dispose(): Promise<void>
}

export interface ClientRunOptions {
  readonly world: FaultWorld
  readonly account: TestClient
  readonly device: string
  /** Ends with the run. */
  readonly clock: FastClock
  readonly file: TestFile
  readonly rules?: readonly FaultRule[]
}

/** Chooses the file on a new device of the proxy and starts its upload while the rules strike. */
export async function startRun(options: ClientRunOptions): Promise<ClientRun> {
  const { world, device } = options
  world.proxy.add(...(options.rules ?? []))
  const client = await createUploadClient(world.proxy, device, options.account, options.clock)
  let tab = await client.openTab()
  const uploadId = await client.choose(options.file)
  const started = await tab.commands.start(uploadId, null)
  if (!started.ok) throw new Error(`The upload was not started: ${started.error.code}`)
  const until: ClientRun['until'] = async (isSo) => {
    for (;;) {
      const row = await client.row(uploadId)
      if (isSo(row)) return row
      if (STILL.has(row.state.kind))
        throw new Error(`stuck: ${JSON.stringify({ state: row.state, ...lastOf(world, device) })}`)
      await delay(LOOK_EVERY_MS)
    }
  }
  return {
    client,
    uploadId,
    tab: () => tab,
    until,
    untilStill: () => until((row) => STILL.has(row.state.kind)),
    leave: () => tab.close(),
    reopen: async () => {
      tab = await client.openTab()
    },
    killAndReopen: async () => {
      await tab.kill()
      tab = await client.openTab()
    },
    dispose: async () => {
      await tab.close()
      await client.close()
      options.clock.stop()
    },
  }
}

/** What a person does about a state that asks; more often than this would be giving up. */
const MOST_ACTS = 25

/** Waits as `untilStill`, and does what a person would do each time the upload asks for it. */
export async function settle(run: ClientRun): Promise<UploadRow> {
  for (let acts = 0; ; acts += 1) {
    const row = await run.untilStill()
    const act = ACTS[row.state.kind]
    if (act === undefined || acts === MOST_ACTS) return row
    const { ok } = await act(run)
    if (!ok) return row
  }
}

const ACTS: Readonly<Partial<Record<UploadKind, (run: ClientRun) => Promise<{ ok: boolean }>>>> = {
  'needs-auth': async (run) => {
    await run.tab().commands.signedIn()
    return { ok: true }
  },
  paused: (run) => run.tab().commands.resume(run.uploadId),
  conflict: (run) => run.tab().commands.startOver(run.uploadId),
  expired: (run) => run.tab().commands.startOver(run.uploadId),
  failed: (run) => run.tab().commands.startOver(run.uploadId),
}

type Answer = { readonly uploadRequest: components['schemas']['UploadRequest'] }

/**
 * What is wrong with a finished upload, in words; empty when the server has exactly this file and
 * no abort was sent.
 */
export async function wrongWith(
  { world, account, device, file }: ClientRunOptions,
  row: UploadRow,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const { ledger } = world.proxy
  if (ledger.of(device, 'abort').length > 0) wrong.push('aborted at the server')
  if (row.state.kind !== 'done' || row.uploadRequestId === null)
    return [
      ...wrong,
      `ended as ${JSON.stringify(row.state)}`,
      JSON.stringify(lastOf(world, device)),
    ]
  if ((await world.storedSha256(row.uploadRequestId)) !== file.sha256)
    wrong.push('other bytes are stored')
  const { body } = await account.get<Answer>(`/v1/upload-requests/${row.uploadRequestId}`)
  if (body.uploadRequest.state !== 'validated')
    wrong.push(`the server says ${body.uploadRequest.state}`)
  return wrong
}

/** Bytes of parts that passed beyond the size of the file. */
export function extraBytes({ world, device, file }: ClientRunOptions): number {
  return world.proxy.ledger.receivedBytes(device) - file.sizeBytes
}

/** The last requests that a rule damaged, to tell which one mattered. */
function lastOf(world: FaultWorld, device: string): { readonly last: readonly string[] } {
  const { ledger } = world.proxy
  const last = (['create', 'sign', 'urls', 'part', 'offset', 'append', 'complete', 'ping'] as const)
    .flatMap((kind) => ledger.of(device, kind))
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs)
    .slice(-4)
  return {
    last: last.map(
      ({ facts, fault, status }) =>
        `${facts.kind}${facts.partNumber ?? ''} ${fault ?? 'passed'} ${status ?? 'no answer'}`,
    ),
  }
}
