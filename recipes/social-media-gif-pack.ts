import { defineRecipe, noOptions } from './define-recipe.ts'
import { deliveryMp4, deliveryVideo, needs, steadyFrameRate, withoutTraces } from './encoding.ts'
import { pickPassages, type Passage } from './moments.ts'
import { outputFileName, seconds } from './naming.ts'
import { cropTo, fitInside, matrixOf, toStandardPicture, type Size } from './picture.ts'
import { PREVIEW_GIF_SIDE, previewSize, previewVideo } from './preview-steps.ts'
import { ok } from './result.ts'
import type { PlanContext, PlannedOutput, PlanStep, PreviewWindow, RecipePlan, SourceProbe, TimelinePassage } from './types.ts'

/** GIF delays are hundredths of a second: 8 of them are exactly 12.5 frames a second. */
const GIF_FPS = '25/2'
const GIF_MS = 3000
const LOOP_MS = 4000
const LOOP_FADE_MS = 800
const LOOP = 'loop.mp4'

interface GifShape {
  readonly id: string
  readonly buttonText: string
  readonly crop: Size
  readonly size: Size
}

/** Three GIFs in the shapes that networks show, and a seamless muted clip for those that take no GIF. */
export const socialMediaGifPack = defineRecipe({
  slug: 'social-media-gif-pack',
  usesMoments: true,
  parse: noOptions,
  plan: (source, _options, context) => ok(planGifPack(source, context)),
  timeline: (source, _options, context) => ok(timelineOf(source, context)),
  preview: (source, _options, window, context) => ok(planPreview(source, window, context)),
})

function planGifPack(source: SourceProbe, context: PlanContext): RecipePlan {
  const shapes = gifShapes(source)
  const moments = momentsOf(source, context)
  return {
    files: [],
    steps: [
      ...shapes.map((shape, index) => gifStep(source, shape, moments.gifs[index] ?? moments.loop, context)),
      loopStep(source, moments.loop, context, fitInside(source, 1280, 720)),
    ],
    outputs: [...shapes.map((shape) => gifOutput(source, shape)), loopOutput(source)],
  }
}

function timelineOf(source: SourceProbe, context: Pick<PlanContext, 'moments'>): readonly TimelinePassage[] {
  const { gifs, loop } = momentsOf(source, context)
  const gifPassages = gifShapes(source).map((shape, index): TimelinePassage => {
    const { startMs, durationMs } = gifs[index] ?? loop
    return { startMs, endMs: startMs + durationMs, outputStartMs: 0, output: gifName(shape) }
  })
  return [...gifPassages, { startMs: loop.startMs + loopFadeMs(loop), endMs: loop.startMs + loop.durationMs, outputStartMs: 0, output: LOOP }]
}

function planPreview(source: SourceProbe, window: PreviewWindow, context: Pick<PlanContext, 'availableFilters'>): RecipePlan {
  if (window.output === LOOP) {
    // The loop begins behind what it fades back into, and so does the timeline.
    const fadeMs = Math.min(LOOP_FADE_MS, window.durationMs / 3)
    const startMs = Math.max(0, window.startMs - fadeMs)
    const passage = { startMs, durationMs: Math.min(window.durationMs + fadeMs, source.durationMs - startMs) }
    return { files: [], steps: [loopStep(source, passage, context, previewSize(source), { fadeMs, video: previewVideo })], outputs: [loopOutput(source)] }
  }
  const shapes = gifShapes(source, PREVIEW_GIF_SIDE, PREVIEW_GIF_SIDE)
  const shape = shapes.find((each) => gifName(each) === window.output) ?? shapes[0]
  return { files: [], steps: [gifStep(source, shape, window, context)], outputs: [gifOutput(source, shape)] }
}

/** Which moment each GIF and the clip show. A source too short for four different ones shows the same in all. */
function momentsOf(source: SourceProbe, context: Pick<PlanContext, 'moments'>): { readonly gifs: readonly Passage[]; readonly loop: Passage } {
  const passages = pickPassages(source.durationMs, context.moments, [GIF_MS, GIF_MS, GIF_MS, LOOP_MS + LOOP_FADE_MS])
  const at = (index: number, durationMs: number): Passage => passageAt(source, passages, index, durationMs)
  return { gifs: [at(0, GIF_MS), at(1, GIF_MS), at(2, GIF_MS)], loop: at(3, LOOP_MS + LOOP_FADE_MS) }
}

/** @param side of the square GIF and long side of the wide one */
function gifShapes(source: Size, side = 480, uprightSide = 640): readonly [GifShape, GifShape, GifShape] {
  // An upright source would give the same picture twice, so its wide GIF is cut out instead.
  const wide = source.width >= source.height
    ? { crop: { width: source.width, height: source.height }, size: fitInside(source, side, side) }
    : cropTo(source, side, side * 0.5625)
  return [
    { id: 'gif-square', buttonText: 'Download square GIF', ...cropTo(source, side, side) },
    { id: 'gif-wide', buttonText: 'Download wide GIF', ...wide },
    { id: 'gif-upright', buttonText: 'Download upright GIF', ...cropTo(source, uprightSide * 0.5625, uprightSide) },
  ]
}

function passageAt(source: SourceProbe, passages: readonly Passage[], index: number, durationMs: number): Passage {
  const found = passages.length > 1 ? passages[index] : undefined
  const lengthMs = Math.min(durationMs, source.durationMs)
  return found ?? { startMs: Math.floor((source.durationMs - lengthMs) / 2), durationMs: lengthMs }
}

function gifName(shape: Pick<GifShape, 'id'>): string {
  return `${shape.id}.gif`
}

function loopOutput(source: SourceProbe): PlannedOutput {
  return { name: LOOP, buttonText: 'Download looping video', fileName: outputFileName(source.fileName, 'loop', 'mp4'), contentType: 'video/mp4', kind: 'video' }
}

function gifOutput(source: SourceProbe, shape: GifShape): PlannedOutput {
  return { name: gifName(shape), buttonText: shape.buttonText, fileName: outputFileName(source.fileName, shape.id, 'gif'), contentType: 'image/gif', kind: 'gif' }
}

/**
 * A GIF with a palette of its own. Light denoising and ordered dithering keep still areas identical from frame to
 * frame, which is what makes a GIF small.
 */
function gifStep(source: SourceProbe, shape: GifShape, passage: Passage, context: Pick<PlanContext, 'availableFilters'>): PlanStep {
  const whole = shape.crop.width >= source.width - 1 && shape.crop.height >= source.height - 1
  // The whole picture is brought to a size that the crop fits in, then cropped: HDR needs the scaling first anyway.
  const factor = whole ? 1 : Math.max(shape.size.width / shape.crop.width, shape.size.height / shape.crop.height)
  const scaled = whole ? shape.size : {
    width: Math.max(shape.size.width, Math.round((source.width * factor) / 2) * 2),
    height: Math.max(shape.size.height, Math.round((source.height * factor) / 2) * 2),
  }
  const standard = toStandardPicture(source, scaled, context)
  const picture = `fps=${GIF_FPS},${standard.chain},crop=${shape.size.width}:${shape.size.height},hqdn3d=2:1.5:4:4`
    + `,scale=in_color_matrix=${matrixOf(source)}:in_range=tv,format=rgb24`
  const graph = `[0:V:0]${picture},split[a][b];[a]palettegen=max_colors=192:stats_mode=full[p];`
    + '[b][p]paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle[v]'
  return {
    id: shape.id,
    args: [
      '-ss', seconds(passage.startMs), '-t', seconds(passage.durationMs), '-i', { kind: 'source' },
      '-filter_complex', graph, '-map', '[v]', '-an', ...withoutTraces, '-c:v', 'gif', '-loop', '0', '-f', 'gif', { kind: 'output', name: gifName(shape) },
    ],
    outputDurationMs: passage.durationMs,
    weight: 1,
    needs: needs(['fps', 'crop', 'hqdn3d', 'split', 'palettegen', 'paletteuse', ...standard.filters], ['gif']),
  }
}

function loopFadeMs(passage: Passage): number {
  return Math.min(LOOP_FADE_MS, passage.durationMs / 3)
}

/** A muted clip whose end fades into its own beginning, so that it loops without a jump. */
function loopStep(
  source: SourceProbe,
  passage: Passage,
  context: Pick<PlanContext, 'availableFilters'>,
  size: Size,
  { fadeMs, video }: { readonly fadeMs: number; readonly video: readonly string[] } = { fadeMs: loopFadeMs(passage), video: deliveryVideo(size) },
): PlanStep {
  const rate = steadyFrameRate(source)
  const standard = toStandardPicture(source, size, context)
  const fadeS = fadeMs / 1000
  const totalS = passage.durationMs / 1000
  const bodyS = totalS - fadeS
  const graph = `[0:V:0]fps=${rate.text}:start_time=0,${standard.chain},settb=AVTB,split[x][y];`
    + `[x]trim=start=${fadeS.toFixed(3)},setpts=PTS-STARTPTS,settb=AVTB[body];[y]trim=end=${fadeS.toFixed(3)},setpts=PTS-STARTPTS,settb=AVTB[head];`
    + `[body][head]xfade=transition=fade:duration=${fadeS.toFixed(3)}:offset=${(bodyS - fadeS).toFixed(3)},fps=${rate.text},format=yuv420p[v]`
  return {
    id: 'loop',
    args: [
      '-ss', seconds(passage.startMs), '-t', seconds(passage.durationMs), '-i', { kind: 'source' },
      '-filter_complex', graph, '-map', '[v]', '-an', ...withoutTraces, ...video, ...deliveryMp4, { kind: 'output', name: LOOP },
    ],
    outputDurationMs: bodyS * 1000,
    weight: 2,
    needs: needs([...standard.filters, 'fps', 'settb', 'split', 'trim', 'setpts', 'xfade'], ['libx264']),
  }
}
