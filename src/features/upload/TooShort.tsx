import { TriangleAlert } from 'lucide-react'
import { tooShortFor } from '#recipes/minimum-length.ts'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import type { Preset } from '#src/hooks/use-presets.ts'

export interface TooShortProps {
  readonly chosen: readonly Preset[]
  /** Probed length of the source; null while unknown: then nothing is said. */
  readonly durationMs: number | null
}

/** Which of the chosen formats need a longer video than this one (rule A10). They can be ordered all the same. */
export function TooShort({ chosen, durationMs }: TooShortProps) {
  const findings = chosen.flatMap(({ slug, name }) => tooShortFor(slug, name, durationMs) ?? [])
  const body = findings.map((finding) => findingCopy(finding).body).find((words) => words !== null) ?? null
  return (
    <div role="status" className={findings.length === 0 ? '' : 'mb-3 flex gap-2 border-b border-line pb-3 text-sm leading-snug'}>
      {findings.length === 0 ? null : (
        <>
          <TriangleAlert aria-hidden className="size-4.5 shrink-0 text-warn" />
          <div className="min-w-0">
            {findings.map((finding) => <p key={String(finding.facts['format'])} className="font-medium">{findingCopy(finding).title}</p>)}
            <p className="text-ink-muted">{body}</p>
          </div>
        </>
      )}
    </div>
  )
}
