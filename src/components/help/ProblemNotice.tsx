import { Notice } from '#src/ui/Notice.tsx'

export interface ProblemNoticeProps {
  /** What went wrong and what helps; null while nothing did. */
  readonly problem: { readonly title: string; readonly body: string | null } | null
  readonly className?: string
}

/** Says beside what was asked why it did not work. Draws nothing while nothing went wrong. */
export function ProblemNotice({ problem, className = '' }: ProblemNoticeProps) {
  if (problem === null) return null
  return (
    <Notice kind="error" isLive title={problem.title} className={className}>
      {problem.body ?? undefined}
    </Notice>
  )
}
