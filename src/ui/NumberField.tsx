import { Minus, Plus } from 'lucide-react'
import {
  Button,
  FieldError,
  Group,
  Input,
  Label,
  NumberField as AriaNumberField,
  Text,
} from 'react-aria-components/NumberField'
import { classNames } from './class-names.ts'
import { errorLook, hintLook, labelLook } from './field-look.ts'

export interface NumberFieldProps {
  readonly label: string
  /** NaN shows an empty field. */
  readonly value: number
  /** Called with NaN when the field is emptied. */
  readonly onChange: (value: number) => void
  readonly minValue?: number
  readonly maxValue?: number
  readonly step?: number
  readonly formatOptions?: Intl.NumberFormatOptions
  readonly hint?: string
  readonly error?: string | null
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  readonly onPaste?: (text: string) => void
  readonly className?: string
}

const stepLook =
  'grid w-11 shrink-0 cursor-pointer place-items-center text-ink-muted transition hover:bg-surface-sunken hover:text-ink data-disabled:cursor-not-allowed data-disabled:opacity-40'

/**
 * A number with 44 px steps down and up. Typing is free; the value is clamped and rounded when the
 * field is left.
 */
export function NumberField({
  label,
  hint,
  error = null,
  className,
  onPaste,
  ...rest
}: NumberFieldProps) {
  return (
    <AriaNumberField
      {...rest}
      validationBehavior="aria"
      isInvalid={error !== null}
      {...(onPaste === undefined
        ? {}
        : { onPaste: (event) => onPaste(event.clipboardData.getData('text')) })}
      className={classNames('flex flex-col gap-1.5', className)}
    >
      <Label className={labelLook}>{label}</Label>
      <Group className="flex min-h-12 overflow-hidden rounded-control border border-line-control bg-surface transition data-focus-within:border-accent data-focus-within:outline-2 data-focus-within:outline-accent data-invalid:border-bad data-disabled:bg-surface-sunken">
        <Button slot="decrement" className={stepLook}>
          <Minus aria-hidden className="size-4.5" />
        </Button>
        <Input className="min-w-0 flex-1 border-x border-line bg-transparent px-3 text-center text-base tabular-nums outline-none" />
        <Button slot="increment" className={stepLook}>
          <Plus aria-hidden className="size-4.5" />
        </Button>
      </Group>
      {hint === undefined ? null : (
        <Text slot="description" className={hintLook}>
          {hint}
        </Text>
      )}
      <FieldError className={errorLook}>{error}</FieldError>
    </AriaNumberField>
  )
}
