/** Runs of ffmpeg on a chosen file, timed by themselves. */
import { expose } from 'comlink'
import fontUrl from '#recipes/fonts/watermark.ttf?url'
import { createFfmpegJobs, extensionOf } from '#workers/media/ffmpeg-jobs.ts'
import { INPUT_FOLDER, sourceName, WORK_FOLDER } from '#workers/media/ffmpeg-messages.ts'
import { resolveArgs } from '#recipes/resolve.ts'
import type { PlanArg, PlanFile } from '#recipes/types.ts'

const jobs = createFfmpegJobs()
const FONT_FILE = 'font.ttf'

const runs = {
  /** Milliseconds of one run, with and without the start of its engine; what it writes is thrown away. */
  async time(file: File, args: readonly PlanArg[], texts: readonly PlanFile[]): Promise<{ readonly allMs: number; readonly runMs: number }> {
    const input = `${INPUT_FOLDER}/${sourceName(extensionOf(file.name))}`
    const font = new Uint8Array(await (await fetch(fontUrl)).arrayBuffer())
    const files = [...texts.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) })), { name: FONT_FILE, bytes: font }]
    const resolved = resolveArgs(args, (place) => (place.kind === 'source' ? input : place.kind === 'font' ? `${WORK_FOLDER}/${FONT_FILE}` : `${WORK_FOLDER}/${'name' in place ? place.name : ''}`))
    const begunAt = performance.now()
    // A run of nothing first: its end is the moment the engine is ready.
    let readyAt = begunAt
    const ran = await jobs.run(
      { file, task: { kind: 'render', files, steps: [['-f', 'lavfi', '-i', 'anullsrc', '-t', '0.01', '-f', 'null', '-'], resolved], outputs: [] }, limitMs: 90_000, signal: new AbortController().signal },
      (news) => { if (news.kind === 'progress' && news.step === 0 && news.outputMs === Infinity) readyAt = performance.now() },
    )
    if (!ran.ok) throw new Error(`${ran.error.code}: ${resolved.join(' ')}`)
    const endedAt = performance.now()
    return { allMs: endedAt - begunAt, runMs: endedAt - readyAt }
  },
}
export type StepRuns = typeof runs
expose(runs)
