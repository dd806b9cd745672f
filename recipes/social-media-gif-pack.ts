import { defineRecipe, noOptions } from './define-recipe.ts'
import { deliveryMp4, deliveryVideo, needs, steadyFrameRate, withoutTraces } from './encoding.ts'
import { pickPassages, type Passage } from './moments.ts'
import { outputFileName, seconds } from './naming.ts'
import { cropTo, fitInside, matrixOf, toStandardPicture, type Size } from './picture.ts'
import { ok } from './result.ts'
import type { PlanContext, PlannedOutput, PlanStep, RecipePlan, SourceProbe } from './types.ts'

/** GIF delays are hundredths of a second: 8 of them are exactly 12.5 frames a second. */
const GIF_FPS = '25/2'
const GIF_MS = 3000
const LOOP_MS = 4000
const LOOP_FADE_MS = 800

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
  preview: (source, _options, window) => {
    const [shape] = gifShapes(source)
    const passage = { startMs: window.startMs, durationMs: Math.min(GIF_MS, window.durationMs) }
    return { files: [], steps: [gifStep(source, shape, passage, {})], outputs: [gifOutput(source, shape)] }
  },
})

function planGifPack(source: SourceProbe, context: PlanContext): RecipePlan {
  const shapes = gifShapes(source)
  // The clip takes a fourth passage; a source too short for four different ones shows the same in all.
  const passages = pickPassages(source.durationMs, context.moments, [GIF_MS, GIF_MS, GIF_MS, LOOP_MS + LOOP_FADE_MS])
  const steps = shapes.map((shape, index) => gifStep(source, shape, passageAt(source, passages, index, GIF_MS), context))
  const clip = passageAt(source, passages, shapes.length, LOOP_MS + LOOP_FADE_MS)
  return {
    files: [],
    steps: [...steps, loopStep(source, clip, context)],
    outputs: [
      ...shapes.map((shape) => gifOutput(source, shape)),
      { name: 'loop.mp4', buttonText: 'Download looping video', fileName: outputFileName(source.fileName, 'loop', 'mp4'), contentType: 'video/mp4', kind: 'video' },
    ],
  }
}

function gifShapes(source: Size): readonly [GifShape, GifShape, GifShape] {
  // An upright source would give the same picture twice, so its wide GIF is cut out instead.
  const wide = source.width >= source.height
    ? { crop: { width: source.width, height: source.height }, size: fitInside(source, 480, 480) }
    : cropTo(source, 480, 270)
  return [
    { id: 'gif-square', buttonText: 'Download square GIF', ...cropTo(source, 480, 480) },
    { id: 'gif-wide', buttonText: 'Download wide GIF', ...wide },
    { id: 'gif-upright', buttonText: 'Download upright GIF', ...cropTo(source, 360, 640) },
  ]
}

function passageAt(source: SourceProbe, passages: readonly Passage[], index: number, durationMs: number): Passage {
  const found = passages.length > 1 ? passages[index] : undefined
  const lengthMs = Math.min(durationMs, source.durationMs)
  return found ?? { startMs: Math.floor((source.durationMs - lengthMs) / 2), durationMs: lengthMs }
}

function gifOutput(source: SourceProbe, shape: GifShape): PlannedOutput {
  return { name: `${shape.id}.gif`, buttonText: shape.buttonText, fileName: outputFileName(source.fileName, shape.id, 'gif'), contentType: 'image/gif', kind: 'gif' }
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
      '-filter_complex', graph, '-map', '[v]', '-an', ...withoutTraces, '-c:v', 'gif', '-loop', '0', '-f', 'gif', { kind: 'output', name: `${shape.id}.gif` },
    ],
    outputDurationMs: passage.durationMs,
    weight: 1,
    needs: needs(['fps', 'crop', 'hqdn3d', 'split', 'palettegen', 'paletteuse', ...standard.filters], ['gif']),
  }
}

/** A muted clip whose end fades into its own beginning, so that it loops without a jump. */
function loopStep(source: SourceProbe, passage: Passage, context: PlanContext): PlanStep {
  const rate = steadyFrameRate(source)
  const size = fitInside(source, 1280, 720)
  const standard = toStandardPicture(source, size, context)
  const fadeS = Math.min(LOOP_FADE_MS, passage.durationMs / 3) / 1000
  const totalS = passage.durationMs / 1000
  const bodyS = totalS - fadeS
  const graph = `[0:V:0]fps=${rate.text}:start_time=0,${standard.chain},settb=AVTB,split[x][y];`
    + `[x]trim=start=${fadeS.toFixed(3)},setpts=PTS-STARTPTS,settb=AVTB[body];[y]trim=end=${fadeS.toFixed(3)},setpts=PTS-STARTPTS,settb=AVTB[head];`
    + `[body][head]xfade=transition=fade:duration=${fadeS.toFixed(3)}:offset=${(bodyS - fadeS).toFixed(3)},fps=${rate.text},format=yuv420p[v]`
  return {
    id: 'loop',
    args: [
      '-ss', seconds(passage.startMs), '-t', seconds(passage.durationMs), '-i', { kind: 'source' },
      '-filter_complex', graph, '-map', '[v]', '-an', ...withoutTraces, ...deliveryVideo(size), ...deliveryMp4, { kind: 'output', name: 'loop.mp4' },
    ],
    outputDurationMs: bodyS * 1000,
    weight: 2,
    needs: needs([...standard.filters, 'fps', 'settb', 'split', 'trim', 'setpts', 'xfade'], ['libx264']),
  }
}
