import { fetchFile } from '@ffmpeg/util'
import fontUrl from '#recipes/fonts/watermark.ttf?url'
import type { ScratchFile } from './ffmpeg-messages.ts'
import { FONT_FILE } from './work-paths.ts'
import type { RecipePlan } from '#recipes/types.ts'

/** The plan's own files and the fonts it draws with; null when a font cannot be had. */
export async function scratchFiles(
  plan: Pick<RecipePlan, 'files' | 'steps'>,
  signal: AbortSignal,
): Promise<readonly ScratchFile[] | null> {
  const texts = plan.files.map(({ name, text }) => ({
    name,
    bytes: new TextEncoder().encode(text),
  }))
  if (
    !plan.steps.some(({ args }) =>
      args.some(
        (arg) =>
          typeof arg !== 'string' &&
          arg.kind === 'filter' &&
          arg.parts.some((part) => typeof part !== 'string' && part.kind === 'font'),
      ),
    )
  )
    return texts
  try {
    const answer = await fetch(fontUrl, { signal })
    return answer.ok
      ? [...texts, { name: FONT_FILE, bytes: await fetchFile(await answer.blob()) }]
      : null
  } catch {
    return null
  }
}
