import { chmod, mkdtemp, readFile, rm, stat, utimes } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { checkOutputs, filesOf } from '#server/media/check-output.ts'
import { checkUpload } from '#server/media/check-upload.ts'
import { offeredConfinements } from '#server/media/confinement/choose.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import {
  makeHostile,
  openWorkshop,
  type HostileFile,
  type Workshop,
} from '#tests/fixtures/hostile-files.ts'
import { onPath } from '#tests/setup/look-around.ts'
import { testFfmpeg } from '#tests/setup/media.ts'

/** What became of one file. */
export interface MediaVerdict {
  readonly name: string
  readonly sizeBytes: number
  /** `validated`, or the sentence that the creator reads. */
  readonly verdict: string
  /** What an edit of an accepted file became; null where it was not asked for. */
  readonly render: string | null
  /** Processor seconds of all tools; null where the system does not count them. */
  readonly checkCpuSeconds: number | null
  readonly renderCpuSeconds: number | null
}

/** What an attack by files showed. */
export interface MediaAttackReport {
  readonly verdicts: readonly MediaVerdict[]
  /** What must not be; empty when all held. */
  readonly complaints: readonly string[]
}

/** No check of a small file may cost more processor time than this. */
const MOST_CPU_S = 30
/** What hangs is found; nothing else ends by it. */
const HANGS_MS = 600_000

/**
 * Gives each file to what checks an upload, and edits the first `renders` that are accepted: a
 * short one gets a watermark, a longer one becomes a still pack of its moments.
 */
export async function attackByMedia(
  files: readonly HostileFile[],
  {
    renders,
    onVerdict = () => undefined,
  }: { readonly renders: number; readonly onVerdict?: (verdict: MediaVerdict) => void },
): Promise<MediaAttackReport> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-hostile-'))
  const foreign = await mkdtemp(join(tmpdir(), 'onecut-foreign-'))
  // Open to every user: a tool that wants to read it can.
  for (const [place, mode] of [
    [folder, 0o711],
    [foreign, 0o755],
  ] as const)
    await chmod(place, mode)
  const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  let connections = 0
  listener.on('connection', () => {
    connections += 1
  })
  try {
    const shop = await openWorkshop({
      folder,
      foreignPath: join(foreign, 'foreign.mp4'),
      listenerUrl: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/a.mp4`,
    })
    // A read moves the time of the last access, which is older than the change, to now.
    await utimes(shop.foreignPath, new Date(0), new Date())
    const ffmpeg = await barelyConfined()
    const verdicts: MediaVerdict[] = []
    const complaints: string[] = []
    for (const file of files) {
      const rendered = verdicts.filter(({ render }) => render !== null).length
      const verdict = await judge(ffmpeg, shop, file, rendered < renders)
      verdicts.push(verdict)
      complaints.push(...wrongWith(file, verdict))
      onVerdict(verdict)
    }
    if (connections > 0) complaints.push(`${connections} connections to a server of this machine`)
    if ((await stat(shop.foreignPath)).atimeMs !== 0) complaints.push('A foreign file was read')
    return { verdicts, complaints }
  } finally {
    listener.close()
    await rm(folder, { recursive: true, force: true })
    await rm(foreign, { recursive: true, force: true })
  }
}

/**
 * The tools under limits alone: then only what the server lets them open keeps a file from
 * reaching others, and the system counts their processor time as that of children.
 */
async function barelyConfined(): Promise<Ffmpeg> {
  const offered = await offeredConfinements(onPath)
  const confinement = offered.find(({ kind }) => kind === 'limits' || kind === 'none')
  if (confinement === undefined) throw new Error('There is always a confinement')
  return { ...(await testFfmpeg()), confinement }
}

function wrongWith(
  { name, reaches }: HostileFile,
  { verdict, checkCpuSeconds, render }: MediaVerdict,
): readonly string[] {
  const isSentence = /^[A-Z].*[.]$/.test(verdict) && !/ffmpeg|ffprobe|passwd|\/tmp/.test(verdict)
  return [
    ...(verdict === 'validated' || isSentence ? [] : [`has no proper verdict: ${verdict}`]),
    ...(reaches === true && verdict === 'validated' ? ['was taken for a video'] : []),
    ...(Number(checkCpuSeconds) > MOST_CPU_S ? [`took ${checkCpuSeconds} s to check`] : []),
    ...(render?.startsWith('threw') === true ? [`render ${render}`] : []),
    ...(render?.startsWith('failed') === true ? [`was accepted, and its edit ${render}`] : []),
  ].map((words) => `${name} ${words}`)
}

async function judge(
  ffmpeg: Ffmpeg,
  shop: Workshop,
  file: HostileFile,
  isRendered: boolean,
): Promise<MediaVerdict> {
  const path = await makeHostile(shop, file)
  const scratchDir = await mkdtemp(join(shop.folder, 'check-'))
  const signal = AbortSignal.timeout(HANGS_MS)
  const startCpu = await childrenCpuSeconds()
  const checked = await checkUpload(ffmpeg, {
    path,
    fileName: file.name,
    purpose: 'media-job',
    scratchDir,
    signal,
  }).catch((error: unknown) => ({ threw: String(error) }))
  const checkedCpu = await childrenCpuSeconds()
  const render =
    isRendered && 'ok' in checked && checked.ok
      ? await edit(ffmpeg, shop, path, checked.value.probe, signal).catch(
          (error: unknown) => `threw ${String(error)}`,
        )
      : null
  const endCpu = await childrenCpuSeconds()
  const { size } = await stat(path)
  await rm(path)
  await rm(scratchDir, { recursive: true })
  return {
    name: file.name,
    sizeBytes: size,
    verdict: wordsOf(checked),
    render,
    checkCpuSeconds: between(startCpu, checkedCpu),
    renderCpuSeconds: render === null ? null : between(checkedCpu, endCpu),
  }
}

function wordsOf(checked: Awaited<ReturnType<typeof checkUpload>> | { threw: string }): string {
  if ('threw' in checked) return `threw ${checked.threw}`
  return checked.ok ? 'validated' : checked.error.message
}

async function edit(
  ffmpeg: Ffmpeg,
  shop: Workshop,
  path: string,
  { source }: FileProbe,
  signal: AbortSignal,
): Promise<string> {
  const folder = await mkdtemp(join(shop.folder, 'render-'))
  const places = { source: path, folder, assetPaths: new Map<string, string>() }
  const isShort = source.durationMs <= SHORT_MS
  const recipe = findRecipe(isShort ? 'dynamic-watermark' : 'still-pack')
  if (recipe === undefined) throw new Error('The edit is not there')
  const moments = isShort
    ? []
    : await analyseMoments(ffmpeg, source, places, signal, () => undefined)
  const payload = isShort ? { text: '@name' } : recipe.typicalPayload
  const plan = recipe.plan(source, payload, { moments, assets: [], secret: SECRET })
  if (!plan.ok) return 'not offered'
  const material = { source, assets: [] }
  const made = await renderPlan(ffmpeg, plan.value, material, places, signal, () => undefined)
  if (!made.ok) return `failed: ${made.error.code}`
  const files = filesOf(plan.value, folder)
  const checked = await checkOutputs(ffmpeg, files, { cwd: folder, signal })
  if (!checked.ok) return 'failed: its result is not right'
  await rm(folder, { recursive: true })
  return recipe.slug
}

/** Whole decoding and encoding is quick up to here. */
const SHORT_MS = 20_000

const TICKS_PER_SECOND = 100

/** Processor seconds of all children that have ended (proc(5), `cutime` and `cstime`). */
async function childrenCpuSeconds(): Promise<number | null> {
  const text = await readFile('/proc/self/stat', 'utf8').catch(() => null)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

function between(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.round((to - from) * 100) / 100
}
