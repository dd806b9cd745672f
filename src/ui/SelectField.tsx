import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import { errorLook, hintLook, inputLook, labelLook } from './field-look.ts'

export interface SelectFieldProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
  readonly hint?: string
  readonly error?: string | null
  readonly isDisabled?: boolean
  readonly isLabelHidden?: boolean
  readonly className?: string
}

/** A native select, because phones have the best picker for it. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  onChange,
  hint,
  error = null,
  isDisabled = false,
  isLabelHidden = false,
  className,
}: SelectFieldProps<T>) {
  const id = useId()
  const noteId = `${id}-note`
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : labelLook}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          disabled={isDisabled}
          aria-invalid={error !== null}
          aria-describedby={hint === undefined && error === null ? undefined : noteId}
          onChange={(event) => choose(event.target.value)}
          className={classNames(inputLook, 'cursor-pointer appearance-none pr-11')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-4 size-4.5 -translate-y-1/2 text-ink-muted"
        />
      </div>
      {error === null ? null : (
        <p id={noteId} className={errorLook}>
          {error}
        </p>
      )}
      {error !== null || hint === undefined ? null : (
        <p id={noteId} className={hintLook}>
          {hint}
        </p>
      )}
    </div>
  )
}
