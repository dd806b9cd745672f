/**
 * One problem, finding or state in words. `action` is the label of the button that helps; null when
 * there is none.
 */
export interface ProblemCopy {
  readonly title: string
  readonly body: string | null
  readonly action: string | null
}

export const CHOOSE_ANOTHER = 'Choose another file'
