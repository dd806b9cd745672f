import type { FfmpegJobs } from './ffmpeg-jobs.ts'
import { withLimit } from './limit.ts'
import { openInput, readFast } from './read-fast.ts'
import type { SourceLayout } from '#recipes/source-facts.ts'
import { checkLevelA } from '#recipes/source-rules.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { ffprobeReport } from '#src/local/probe/ffprobe-report.ts'
import { walkBoxes, walkSegment } from '#src/local/probe/layout.ts'
import type { ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'
import { readSignature, SIGNATURE_BYTES, type Signature } from '#src/local/probe/signature.ts'

/** The first boxes of a file are in it as a rule, and a read takes as long for a few bytes. */
const HEAD_BYTES = 64 * 1024
/** What mediabunny knows; it does not need to be asked about the others. */
const READ_FAST: ReadonlySet<string> = new Set(['isobmff', 'matroska', 'mpeg-ts', 'ogg'])
const WALK_LIMIT_MS = 3_000
const FAST_LIMIT_MS = 5_000
const FFPROBE_LIMIT_MS = 20_000
/** Phones kill a page that takes much; there the second reader only looks at smaller files. */
const SMALL_DEVICE_LIMIT_BYTES = 2 * 1024 ** 3

export interface ProbeDeps { readonly jobs: FfmpegJobs; readonly isSmallDevice: boolean; readonly now: () => number }
type Facts = Omit<ProbeReport, 'findings' | 'tookMs'>

/**
 * Level A of the pre-checks: first bytes, layout, fast reader, and ffprobe only where these leave a question open. Reads a few
 * MB at the most, also of a 50 GB file.
 */
export async function probeFile(deps: ProbeDeps, file: File, signal: AbortSignal): Promise<Result<ProbeReport, ProbeFailure>> {
  const startedAt = deps.now()
  if (signal.aborted) return err({ code: 'probe/cancelled' })
  if (file.size === 0) return err({ code: 'probe/empty' })
  const head = await readBytes(file, 0, HEAD_BYTES)
  if (!head.ok) return head
  const signature = readSignature(head.value.subarray(0, SIGNATURE_BYTES))
  if (signature.kind === 'photo') return err({ code: 'probe/no-video', facts: { kind: 'photo' } })
  if (signature.kind === 'text') return err({ code: 'probe/not-media' })
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    // Beside each other: both mostly wait for the disk.
    const reading = readByFastReader(file, signature, until)
    const layout = await readLayout(file, head.value, signature, until)
    if (layout?.isEncrypted === true) return err({ code: 'probe/encrypted' })
    if (layout?.hasIndex === false && !layout.isFragmented) return err({ code: layout.hasPayload ? 'probe/incomplete' : 'probe/not-media' })
    const fast = await reading
    if (signal.aborted) return err({ code: 'probe/cancelled' })
    const facts = fast === null ? await readByFfmpeg(deps, file, signature, signal) : ok(fast)
    if (!facts.ok) return facts
    return ok({ ...facts.value, findings: checkLevelA({ report: facts.value, layout, fileName: file.name }), tookMs: Math.round(deps.now() - startedAt) })
  } finally {
    over.abort()
  }
}

/** Null when it cannot read the file, which says nothing about the file. */
async function readByFastReader(file: File, signature: Signature, signal: AbortSignal): Promise<Facts | null> {
  if (signature.kind === 'media' && !READ_FAST.has(signature.container)) return null
  const input = openInput(file, signature.kind === 'media' && signature.container === 'isobmff')
  const stop = (): void => input.dispose()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await withLimit(readFast(input, file.size), FAST_LIMIT_MS, signal)
  } catch {
    return null
  } finally {
    signal.removeEventListener('abort', stop)
    input.dispose()
  }
}

async function readByFfmpeg(deps: ProbeDeps, file: File, signature: Signature, signal: AbortSignal): Promise<Result<Facts, ProbeFailure>> {
  // The file itself may not be readable any more.
  const readable = await readBytes(file, 0, 1)
  if (!readable.ok) return readable
  if (signal.aborted) return err({ code: 'probe/cancelled' })
  if (isTooLarge(deps, file)) return err({ code: 'probe/engine-unavailable' })
  const ran = await runFfprobe(deps, file, signal)
  if (!ran.ok) return ran
  const report = ffprobeReport(ran.value, file.size)
  if (report !== null && report.videoTrackCount + report.audioTrackCount > 0) return ok(report)
  // Two readers refuse it. With a video's first bytes it is a broken video, else it never was one.
  return err({ code: signature.kind === 'media' ? 'probe/incomplete' : 'probe/not-media' })
}

/** Whether ffmpeg had better not touch the file on this device. */
export function isTooLarge(deps: ProbeDeps, file: File): boolean {
  return deps.isSmallDevice && file.size > SMALL_DEVICE_LIMIT_BYTES
}

/** What ffprobe writes about the file, parsed; null when it writes nothing. */
export async function runFfprobe(deps: ProbeDeps, file: File, signal: AbortSignal): Promise<Result<unknown, ProbeFailure>> {
  let json = ''
  const ran = await deps.jobs.run({ file, task: { kind: 'probe' }, limitMs: FFPROBE_LIMIT_MS, signal }, (news) => { if (news.kind === 'probed') json = news.json })
  return ran.ok ? ok(parse(json)) : ran
}

/** Null for containers without a layout of their own, and when it cannot be read in time. */
async function readLayout(file: File, head: Uint8Array, signature: Signature, signal: AbortSignal): Promise<SourceLayout | null> {
  if (signature.kind !== 'media' || (signature.container !== 'isobmff' && signature.container !== 'matroska')) return null
  const over = new AbortController()
  const read = sliceReader(file, AbortSignal.any([signal, over.signal]), head)
  try {
    return await withLimit((signature.container === 'isobmff' ? walkBoxes : walkSegment)(read, file.size), WALK_LIMIT_MS, signal)
  } catch {
    return null
  } finally {
    over.abort()
  }
}

/** Reads pieces of a file until the abort, after which it rejects: whoever walks over the file ends there. `head`: its first bytes, if they are known. */
export function sliceReader(file: Blob, signal: AbortSignal, head: Uint8Array = new Uint8Array(0)): (start: number, end: number) => Promise<Uint8Array> {
  return async (start, end) => {
    signal.throwIfAborted()
    if (end <= head.byteLength) return head.subarray(start, end)
    return new Uint8Array(await file.slice(start, end).arrayBuffer())
  }
}

async function readBytes(file: File, start: number, end: number): Promise<Result<Uint8Array, ProbeFailure>> {
  try {
    return ok(new Uint8Array(await file.slice(start, end).arrayBuffer()))
  } catch (thrown) {
    return err({ code: thrown instanceof Error && thrown.name === 'NotFoundError' ? 'probe/gone' : 'probe/changed' })
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
