/**
 * One problem, finding or state in words. `action` names what helps, for a button; null when
 * nothing does or is needed.
 */
export interface ProblemCopy {
  readonly title: string
  readonly body: string | null
  readonly action: string | null
}

export const CHOOSE_ANOTHER = 'Choose another file'
