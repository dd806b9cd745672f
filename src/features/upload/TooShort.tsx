import { tooShortFor } from '#recipes/minimum-length.ts'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import type { Preset } from '#src/hooks/use-presets.ts'
import { Notice } from '#src/ui/Notice.tsx'

export interface TooShortProps {
  readonly chosen: readonly Preset[]
  /** Probed length of the source; null while unknown: then nothing is said. */
  readonly durationMs: number | null
}

/** Which of the chosen formats need a longer video than this one (rule A10). They can be ordered all the same. */
export function TooShort({ chosen, durationMs }: TooShortProps) {
  const findings = chosen.flatMap(({ slug, name }) => tooShortFor(slug, name, durationMs) ?? [])
  return (
    <div role="status" className={findings.length === 0 ? '' : 'mt-6 flex flex-col gap-3'}>
      {findings.map((finding) => {
        const copy = findingCopy(finding)
        return <Notice key={String(finding.facts['format'])} kind="warning" title={copy.title}>{copy.body ?? undefined}</Notice>
      })}
    </div>
  )
}
