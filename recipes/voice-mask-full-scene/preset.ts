import { definePreset, noOptions } from '#recipes/define-preset.ts'
import {
  deliveryAudio,
  deliveryMp4,
  deliveryVideo,
  needs,
  withoutTraces,
} from '#recipes/encoding.ts'
import { outputFileName } from '#recipes/naming.ts'
import { fitInside, toStandardPicture } from '#recipes/picture.ts'
import { PREVIEW_SOUND_MS } from '#recipes/preview-steps.ts'
import { perMinute } from '#recipes/pricing.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type {
  PlanContext,
  PlanProblem,
  PlanStep,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'
import { voiceMask } from './voice-mask.ts'

const OUTPUT = 'voice-mask.mp4'

/**
 * The whole video with voices that cannot be recognised. The picture stays as it is where every
 * player can show it.
 */
export const voiceMaskFullScene = definePreset({
  slug: 'voice-mask-full-scene',
  name: 'Voice Mask',
  description:
    'The whole video with voices changed so that people cannot be recognised by how they sound.',
  tab: 'full-scene',
  price: perMinute(20),
  needs: { sound: true, minimumMs: 0 },
  options: noOptions,
  usesMoments: false,
  plan: (source, _options, context) => ifItHasSound(source, () => planMask(source, context)),
  previewLimitMs: PREVIEW_SOUND_MS,
  preview: (source, _options, window) => ifItHasSound(source, () => planPreview(source, window)),
})

/** A plan for a video without sound would sell the creator a copy of it. */
function ifItHasSound(
  source: SourceProbe,
  plan: () => RecipePlan,
): Result<RecipePlan, PlanProblem> {
  return source.hasAudio
    ? ok(plan())
    : err({
        code: 'recipe/source-unusable',
        message: 'This video has no sound, so there is no voice to change.',
      })
}

function planMask(source: SourceProbe, context: PlanContext): RecipePlan {
  const picture = canKeepPicture(source) ? keptPicture : newPicture(source, context)
  const step: PlanStep = {
    id: 'mask',
    // Copied pictures without times get them from their order.
    inputs: [{ from: { kind: 'source' }, flags: ['-fflags', '+genpts'] }],
    args: [
      '-map',
      '0:V:0',
      '-map',
      '0:a:0',
      ...picture.args,
      '-af',
      voiceMask.chain,
      ...withoutTraces,
      ...deliveryAudio,
      ...deliveryMp4,
      { kind: 'output', name: OUTPUT },
    ],
    outputDurationMs: source.durationMs,
    weight: 1,
    needs: needs([...picture.filters, ...voiceMask.filters], [...picture.encoders, 'aac']),
  }
  return {
    files: [],
    steps: [step],
    outputs: [
      {
        name: OUTPUT,
        buttonText: 'Download voice-masked video',
        fileName: outputFileName(source.fileName, 'voice-masked', 'mp4'),
        contentType: 'video/mp4',
        kind: 'video',
      },
    ],
  }
}

/**
 * 8-bit H.264 4:2:0 plays everywhere, so encoding it again would only cost time and quality. Not
 * out of AVI, which does not say when its pictures show; one under another name comes out a frame
 * late at worst.
 */
function canKeepPicture(source: SourceProbe): boolean {
  return (
    !/\.(?:avi|divx)$/i.test(source.fileName) &&
    source.videoCodec === 'h264' &&
    source.pixelFormat === 'yuv420p' &&
    !source.isHdr
  )
}

/**
 * Camcorders write date and place into the picture's own stream (SEI units, type 6 of H.264), which
 * no tag option removes.
 */
const keptPicture = {
  args: ['-c:v', 'copy', '-bsf:v', 'filter_units=remove_types=6'],
  filters: [],
  encoders: [],
} as const

function newPicture(
  source: SourceProbe,
  context: PlanContext,
): {
  readonly args: readonly string[]
  readonly filters: readonly string[]
  readonly encoders: readonly string[]
} {
  const size = fitInside(source, 3840, 3840)
  const standard = toStandardPicture(source, size, context)
  const limit = source.frameRate > 61 ? 'fps=60,' : ''
  return {
    args: ['-vf', `${limit}${standard.chain}`, ...deliveryVideo(size), '-fps_mode', 'vfr'],
    filters: [...standard.filters, ...(limit === '' ? [] : ['fps'])],
    encoders: ['libx264'],
  }
}

/** The same seconds twice, as they are and masked, to be heard one after the other. */
function planPreview(source: SourceProbe, window: PreviewWindow): RecipePlan {
  const plain =
    'aresample=48000:async=1:first_pts=0,aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo'
  const sounds = [
    {
      name: 'before.wav',
      suffix: 'voice-before',
      buttonText: 'Download sound before',
      chain: plain,
      filters: ['aresample', 'aformat'],
    },
    {
      name: 'after.wav',
      suffix: 'voice-after',
      buttonText: 'Download sound after',
      chain: voiceMask.chain,
      filters: voiceMask.filters,
    },
  ] as const
  return {
    files: [],
    steps: sounds.map(({ name, chain, filters }) => ({
      id: name.replace('.wav', ''),
      inputs: [
        {
          from: { kind: 'source' },
          seekMs: window.startMs,
          durationMs: window.durationMs,
        },
      ],
      args: [
        '-map',
        '0:a:0',
        '-vn',
        '-af',
        chain,
        ...withoutTraces,
        '-c:a',
        'pcm_s16le',
        '-ar',
        '48000',
        '-ac',
        '2',
        '-f',
        'wav',
        { kind: 'output', name },
      ],
      outputDurationMs: window.durationMs,
      weight: 1,
      needs: needs(filters, ['pcm_s16le']),
    })),
    outputs: sounds.map(({ name, suffix, buttonText }) => ({
      name,
      buttonText,
      fileName: outputFileName(source.fileName, suffix, 'wav'),
      contentType: 'audio/wav',
      kind: 'audio',
    })),
  }
}
