/** How large a mark is, letters or logo; what each size means stands beside what is drawn. */
export const MARK_SIZES = ['small', 'medium', 'large'] as const
/** How far it covers what is behind it. */
export const MARK_STRENGTHS = ['light', 'medium', 'strong'] as const
export type MarkSize = (typeof MARK_SIZES)[number]
export type MarkStrength = (typeof MARK_STRENGTHS)[number]
