import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useOnline } from '#src/hooks/use-online.ts'
import { useSaveSourceRule } from '#src/hooks/use-storage.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'

/** Days that are offered; another number that was set before is offered too. */
const DAYS = [7, 14, 30, 90] as const
const NEVER = 'never'

/** Whether videos are deleted by themselves, and how many days after their last edit. */
export function SourceRule({ days }: { readonly days: number | null }) {
  const isOnline = useOnline()
  const saving = useSaveSourceRule()
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const shown = saving.isPending ? saving.variables : days
  const offered = [...new Set([...DAYS, ...(days === null ? [] : [days])])].toSorted(
    (a, b) => a - b,
  )
  const choose = async (value: string) => {
    setFailure(null)
    const saved = await saving.mutateAsync(value === NEVER ? null : Number(value))
    if (!saved.ok) setFailure(saved.error)
  }
  return (
    <>
      <SelectField
        label="Delete videos by themselves"
        value={shown === null ? NEVER : String(shown)}
        options={[
          { value: NEVER, label: 'Never' },
          ...offered.map((each) => ({
            value: String(each),
            label: `${each} ${each === 1 ? 'day' : 'days'} after their last edit`,
          })),
        ]}
        onChange={(value) => void choose(value)}
        isDisabled={!isOnline || saving.isPending}
        className="max-w-md"
        hint="Finished edits stay. So does a video that has no edit yet, or edits that are not paid, not finished or not reviewed. After you change this, nothing goes for a day."
      />
      {failure === null ? null : (
        <Notice kind="error" isLive title={serverProblemCopy(failure).title}>
          Your videos are kept as before.
        </Notice>
      )}
    </>
  )
}
