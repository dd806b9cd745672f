import { FieldError, Label, Text, TextArea, TextField } from 'react-aria-components/TextField'
import { errorLook, hintLook, inputLook, labelLook } from '#src/ui/field-look.ts'

export interface LongFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onFocus: () => void
  readonly maxLength: number
  readonly hint?: string
  readonly error: string | null
}

/** Several lines of text with their label, hint and error. */
export function LongField({ label, hint, error, ...rest }: LongFieldProps) {
  return (
    <TextField
      {...rest}
      isRequired
      isInvalid={error !== null}
      validationBehavior="aria"
      className="flex flex-col gap-1.5"
    >
      <Label className={labelLook}>{label}</Label>
      <TextArea rows={4} className={`${inputLook} h-auto py-2.5`} />
      {hint === undefined ? null : (
        <Text slot="description" className={hintLook}>
          {hint}
        </Text>
      )}
      <FieldError className={errorLook}>{error}</FieldError>
    </TextField>
  )
}
