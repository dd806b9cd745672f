import type { RecipeRules } from './define-preset.ts'
import type { Drawing } from './drawing.ts'
import { evenLoudness } from './encoding.ts'
import { fadedSteps } from './faded-passages.ts'
import { joinedSteps, SOUND_FADE_MS } from './joined-passages.ts'
import { outputFileName, videoName } from './naming.ts'
import { msOfFrames } from './passage-steps.ts'
import { previewPassage } from './preview-steps.ts'
import { ok, type Result } from './result.ts'
import type {
  PlanContext,
  PlanProblem,
  PreviewContext,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from './types.ts'

/** Plan, timeline and preview of an edit of passages, which all follow from what it draws. */
export function drawn<O>(
  draw: NonNullable<RecipeRules<O>['drawing']>,
): Pick<RecipeRules<O>, 'drawing' | 'plan' | 'timeline' | 'preview'> {
  return {
    drawing: draw,
    plan: (source, options, context) => {
      const drawing = draw(source, options, context)
      return drawing.ok ? planOfDrawing(drawing.value, source, context) : drawing
    },
    timeline: (source, options, context) => {
      const drawing = draw(source, options, context)
      return drawing.ok ? ok(timelineOf(drawing.value, source)) : drawing
    },
    preview: (source, options, window, context) => {
      // One passage is looked at: which ones there are does not matter.
      const drawing = draw(source, options, { moments: [] })
      return drawing.ok ? ok(previewOf(drawing.value, source, window, context)) : drawing
    },
  }
}

/**
 * The plan of a drawing, also of one that was made smaller.
 * @param isSoundOnly its file has the sound alone, for a device that makes the picture itself
 */
export function planOfDrawing(
  drawing: Drawing,
  source: SourceProbe,
  context: PlanContext,
  isSoundOnly = false,
): Result<RecipePlan, PlanProblem> {
  const { joints, slug, buttonText } = drawing
  const made =
    joints.kind === 'fades'
      ? ok(fadedSteps(drawing, joints, source, context, isSoundOnly))
      : joinedSteps(drawing, joints, source, context, isSoundOnly)
  if (!made.ok) return made
  const fileName = outputFileName(source.fileName, slug, 'mp4')
  return ok({
    ...made.value,
    outputs: [
      { name: videoName(slug), buttonText, fileName, contentType: 'video/mp4', kind: 'video' },
    ],
  })
}

/** Where the passages lie in the output, counted from the end of the intro. */
function timelineOf(drawing: Drawing, source: SourceProbe): readonly TimelinePassage[] {
  const { slug, passages, joints } = drawing
  const overlap = joints.kind === 'fades' ? joints.frames : 0
  let frame = 0
  return passages.map(({ startMs, frames }) => {
    const outputStartMs = msOfFrames(frame, drawing)
    frame += frames - overlap
    return {
      startMs,
      endMs: Math.min(source.durationMs, startMs + msOfFrames(frames, drawing)),
      outputStartMs,
      output: videoName(slug),
    }
  })
}

/** One passage at small size. */
function previewOf(
  { slug, size, frameRate, passages, joints }: Drawing,
  source: SourceProbe,
  window: PreviewWindow,
  context: PreviewContext,
): RecipePlan {
  return previewPassage(
    source,
    window,
    {
      output: videoName(slug),
      fileName: outputFileName(source.fileName, `${slug}-preview`, 'mp4'),
      frameRate,
      sound: evenLoudness,
      ...(joints.kind === 'cuts' && { soundFadeMs: SOUND_FADE_MS }),
      ...(passages.some(({ crop }) => crop !== undefined) && { shape: size }),
    },
    context,
  )
}
