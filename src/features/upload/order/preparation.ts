import {
  PREPARATION_CAP_PERCENT,
  PREPARATION_CREATING_PERCENT,
  PREPARATION_DONE_PERCENT,
  PREPARATION_STEP_MS,
} from '#spec/numbers.ts'
import type { SubmitEditsIntent } from '#src/local/db/rows.ts'

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
 * The steps that are really done. A null `intent` means that the order exists. Measuring is a step
 * only where a price depends on the length.
 */
export function preparationSteps(
  intent: Pick<
    SubmitEditsIntent,
    'needsAnalysis' | 'isReceived' | 'isAnalysed' | 'mediaJobId'
  > | null,
): readonly PreparationStep[] {
  const isThere = intent === null
  const needsAnalysis = intent?.needsAnalysis ?? false
  const all = [
    { id: 'received', label: 'Edits received', isDone: isThere || intent.mediaJobId !== null },
    ...(needsAnalysis
      ? [{ id: 'analysed', label: 'Video measured', isDone: intent?.isAnalysed ?? true } as const]
      : []),
    { id: 'priced', label: 'Edits priced', isDone: isThere },
    { id: 'ready', label: 'Order ready', isDone: isThere },
  ] as const
  const now = all.find((step) => !step.isDone)?.id
  return all.map(({ id, label, isDone }) => ({
    id,
    label,
    state: isDone ? 'done' : id === now ? 'now' : 'next',
  }))
}
