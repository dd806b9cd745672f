/** Times single runs of ffmpeg on a chosen file. */
import { expose } from 'comlink'
import fontUrl from '#recipes/fonts/watermark.ttf?url'
import { startFfmpeg } from '#tests/bench/nested-ffmpeg.ts'
import { compileCore, createFfmpegJobs, extensionOf } from '#workers/media/ffmpeg-jobs.ts'
import { INPUT_FOLDER, sourceName, WORK_FOLDER } from '#workers/media/ffmpeg-messages.ts'
import { renderStep } from '#workers/media/render-steps.ts'
import type { PlanFile, PlanStep } from '#recipes/types.ts'

const jobs = createFfmpegJobs({ compile: compileCore, startWorker: startFfmpeg })
const FONT_FILE = 'font.ttf'

/** What a step of a plan does. */
export type BenchStep = Pick<PlanStep, 'inputs' | 'args' | 'tool' | 'secret'>

const runs = {
  /**
   * Runs each step, or only starts ffmpeg without any. Discards what it writes.
   */
  async run(file: File, plans: readonly BenchStep[], texts: readonly PlanFile[]): Promise<void> {
    const input = `${INPUT_FOLDER}/${sourceName(extensionOf(file.name))}`
    const font = new Uint8Array(await (await fetch(fontUrl)).arrayBuffer())
    const files = [
      ...texts.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) })),
      { name: FONT_FILE, bytes: font },
    ]
    const steps = plans.map((each) =>
      renderStep(each, (place) =>
        place.kind === 'source'
          ? input
          : place.kind === 'font'
            ? `${WORK_FOLDER}/${FONT_FILE}`
            : `${WORK_FOLDER}/${'name' in place ? place.name : ''}`,
      ),
    )
    const ran = await jobs.run(
      {
        file,
        task: { kind: 'render', files, steps, outputs: [] },
        limitMs: 90_000,
        signal: new AbortController().signal,
      },
      () => undefined,
    )
    if (!ran.ok) throw new Error(`${ran.error.code}: ${JSON.stringify(steps)}`)
  },
}
export type StepRuns = typeof runs
expose(runs)
