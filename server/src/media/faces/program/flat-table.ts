/** Tables of a FlatBuffer, the form in which TensorFlow Lite keeps its networks. */
export interface FlatTable {
  /** A whole number of so many bytes; 0 where the field is left out. Throws beyond the file. */
  number(field: number, bytes: 1 | 4): number
  /** What a field points to; null where it is left out. */
  table(field: number): FlatTable | null
  tables(field: number): readonly FlatTable[]
  /** Whole numbers of four bytes. */
  numbers(field: number): readonly number[]
  bytes(field: number): Uint8Array
}

/** The table that a file begins with. */
export function rootTable(file: Uint8Array): FlatTable {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  return tableAt(view, view.getUint32(0, true))
}

function tableAt(view: DataView, at: number): FlatTable {
  const fields = at - view.getInt32(at, true)
  const size = view.getUint16(fields, true)
  const placeOf = (field: number): number | null => {
    const entry = 4 + 2 * field
    const offset = entry < size ? view.getUint16(fields + entry, true) : 0
    return offset === 0 ? null : at + offset
  }
  const target = (place: number): number => place + view.getUint32(place, true)
  const list = (field: number): { readonly length: number; readonly at: number } => {
    const place = placeOf(field)
    if (place === null) return { length: 0, at: 0 }
    const start = target(place)
    return { length: view.getUint32(start, true), at: start + 4 }
  }
  const entries = <T>(field: number, entry: (place: number) => T): readonly T[] => {
    const { length, at: first } = list(field)
    return Array.from({ length }, (_, index) => entry(first + 4 * index))
  }
  return {
    number: (field, bytes) => {
      const place = placeOf(field)
      if (place === null) return 0
      return bytes === 1 ? view.getInt8(place) : view.getInt32(place, true)
    },
    table: (field) => {
      const place = placeOf(field)
      return place === null ? null : tableAt(view, target(place))
    },
    tables: (field) => entries(field, (place) => tableAt(view, target(place))),
    numbers: (field) => entries(field, (place) => view.getInt32(place, true)),
    bytes: (field) => {
      const { length, at: first } = list(field)
      return new Uint8Array(view.buffer, view.byteOffset + first, length)
    },
  }
}
