/**
 * A page with the app's media bridge, driven by tests/bench/previews.ts. Times are round trips from
 * the page.
 */
import { wrap } from 'comlink'
import type { BenchStep, StepRuns } from './steps.worker.ts'
import { createMediaBridge } from '#src/bridge/media-bridge.ts'
import { createClock } from '#src/lib/time.ts'
import { sourceProbeOf } from '#src/local/previews/preview.ts'
import { previewScript } from '#src/local/previews/preview-script.ts'
import type { PlanFile, PreviewWindow, SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'

const media = createMediaBridge(createClock())
const steps = wrap<StepRuns>(
  new Worker(new URL('./steps.worker.ts', import.meta.url), { type: 'module' }),
)

function chosen(): File {
  const file = document.querySelector<HTMLInputElement>('#file')?.files?.[0]
  if (file === undefined) throw new Error('no file chosen')
  return file
}

const bench = {
  source: async (): Promise<SourceProbe> => {
    const probed = await media.probe(chosen(), { id: 'probe' })
    const source = sourceProbeOf(probed.ok ? probed.value : null, chosen().name)
    if (source === null) throw new Error('nothing to preview')
    return source
  },
  /** What opening the preview makes: all of a gallery, else the first item. */
  windows: (slug: string, source: SourceProbe, payload: unknown): readonly PreviewWindow[] => {
    const script = previewScript(slug, source, payload)
    if (!script.ok) throw new Error(script.error.code)
    const windows = script.value.items.map(({ window }) => window)
    return script.value.kind === 'gallery' ? windows : windows.slice(0, 1)
  },
  /** One item as the app makes it: milliseconds, or why there is none. */
  make: async (
    slug: string,
    payload: unknown,
    source: SourceProbe,
    part: PreviewWindow,
  ): Promise<number | string> => {
    const begunAt = performance.now()
    const made = await media.preview(
      chosen(),
      { slug, payload, source, window: part, secret: SECRET },
      { id: 'preview' },
      () => undefined,
    )
    return made.ok ? performance.now() - begunAt : made.error.code
  },
  /** Milliseconds from cancelling a preview, `afterMs` after it began, to its answer. */
  callOff: async (
    slug: string,
    payload: unknown,
    source: SourceProbe,
    part: PreviewWindow,
    afterMs: number,
  ): Promise<number> => {
    const making = media.preview(
      chosen(),
      { slug, payload, source, window: part, secret: SECRET },
      { id: 'off' },
      () => undefined,
    )
    await new Promise((resolve) => {
      setTimeout(resolve, afterMs)
    })
    const calledOffAt = performance.now()
    media.cancel('off')
    await making
    return performance.now() - calledOffAt
  },
  step: (plans: readonly BenchStep[], texts: readonly PlanFile[]) =>
    steps.run(chosen(), plans, texts),
}

declare global {
  interface Window {
    previewBench: typeof bench
  }
}
window.previewBench = bench
