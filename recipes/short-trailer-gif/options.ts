import type { OptionRules } from '#recipes/define-preset.ts'
import { invalidOption, optionFields } from '#recipes/option-checks.ts'
import { ok, type Result } from '#recipes/result.ts'
import type { OptionsProblem } from '#recipes/types.ts'

/**
 * The options of short-trailer-gif. Without `includeKumshot` the last fifth of the video is left
 * out. With it the GIF shows `momentMs`, milliseconds into the source, which the creator chose;
 * left out = not asked for, then the best of the last fifth. In a payload null = asked for and
 * not chosen yet, which is refused.
 */
export interface ShortTrailerGifOptions {
  readonly includeKumshot: boolean
  readonly momentMs?: number
}

const MESSAGE = 'Please choose the moment on your video'
const BEYOND = 'Your video ends before this moment: please choose an earlier one.'
/** The slider ends where the device saw the end, and the server may see it somewhat earlier. */
const SLACK_MS = 1000

export const shortTrailerGifOptions: OptionRules<ShortTrailerGifOptions> = {
  parse: parseShortTrailerGifOptions,
  refuse: ({ momentMs = 0 }, sourceDurationMs) =>
    sourceDurationMs !== null && momentMs >= sourceDurationMs + SLACK_MS
      ? { field: 'momentMs', message: BEYOND }
      : null,
  typical: { includeKumshot: false },
}

function parseShortTrailerGifOptions(
  payload: unknown,
): Result<ShortTrailerGifOptions, OptionsProblem> {
  const given = optionFields(payload)
  const includeKumshot = given?.get('includeKumshot') ?? false
  if (given === null || typeof includeKumshot !== 'boolean')
    return invalidOption('includeKumshot', 'Please tick the box or leave it empty')
  const momentMs = given.get('momentMs')
  if (!includeKumshot || momentMs === undefined) return ok({ includeKumshot })
  return typeof momentMs === 'number' && Number.isFinite(momentMs) && momentMs >= 0
    ? ok({ includeKumshot, momentMs: Math.round(momentMs) })
    : invalidOption('momentMs', MESSAGE)
}
