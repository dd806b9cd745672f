import { findPreset } from '#recipes/presets.ts'

/** For an edit of a newer server than this app knows, before its catalogue is here. */
const UNKNOWN = 'Another edit'

/**
 * What an edit is called: as the server's catalogue says, and until that is here as this app knows
 * it. Never the slug, which is a word between programs.
 */
export function editName(
  slug: string,
  presets: readonly { readonly slug: string; readonly name: string }[],
): string {
  return presets.find((preset) => preset.slug === slug)?.name ?? findPreset(slug)?.name ?? UNKNOWN
}
