import {
  PREPARATION_CAP_PERCENT,
  PREPARATION_CREATING_PERCENT,
  PREPARATION_DONE_PERCENT,
  PREPARATION_STEP_MS,
} from '#spec/numbers.ts'
import type { SubmitEditsIntent } from '#src/local/db/rows.ts'

/** How long the full bar stays before the checkout takes its place. */
export const FULL_BAR_SHOWN_MS = 600

/**
 * One real step, shown beside the simulated bar (docs/product-decisions.md#preparation-progress).
 */
export interface PreparationStep {
  readonly id: 'received' | 'analysed' | 'priced' | 'ready'
  readonly label: string
  readonly state: 'done' | 'now' | 'next'
}

/**
 * The bar of the specification: one point every 3.33 s up to 90, then 95 while the order is
 * created, and 100 when it exists (JOB-05).
 * @param elapsedMs since Submit; a clock that was set back counts as 0
 */
export function preparationPercent(
  elapsedMs: number,
  stage: 'waiting' | 'creating-order' | 'done',
): number {
  switch (stage) {
    case 'done':
      return PREPARATION_DONE_PERCENT
    case 'creating-order':
      return PREPARATION_CREATING_PERCENT
    case 'waiting':
      return Math.min(
        PREPARATION_CAP_PERCENT,
        Math.max(0, Math.floor(elapsedMs / PREPARATION_STEP_MS)),
      )
  }
}

/**
 * The steps that are really done. Measuring is a step only where a price depends on the length.
 * @param hasOrder the order exists, so that every step is done
 */
export function preparationSteps(
  {
    needsAnalysis,
    isAnalysed,
    mediaJobId,
  }: Pick<SubmitEditsIntent, 'needsAnalysis' | 'isAnalysed' | 'mediaJobId'>,
  hasOrder: boolean,
): readonly PreparationStep[] {
  const all = [
    { id: 'received', label: 'Edits received', isDone: hasOrder || mediaJobId !== null },
    ...(needsAnalysis
      ? [{ id: 'analysed', label: 'Video measured', isDone: hasOrder || isAnalysed } as const]
      : []),
    { id: 'priced', label: 'Edits priced', isDone: hasOrder },
    { id: 'ready', label: 'Order ready', isDone: hasOrder },
  ] as const
  const now = all.find((step) => !step.isDone)?.id
  return all.map(({ id, label, isDone }) => ({
    id,
    label,
    state: isDone ? 'done' : id === now ? 'now' : 'next',
  }))
}
