/** Moves one id of a list to the place of another; the list itself where one is not in it. */
export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id)
  if (from < 0 || place < 0 || place >= ids.length || place === from) return ids
  const others = ids.toSpliced(from, 1)
  return others.toSpliced(place, 0, id)
}

/** Adds an id at the end, or takes it out. */
export function toggled(ids: readonly string[], id: string, isChosen: boolean): readonly string[] {
  const others = ids.filter((other) => other !== id)
  return isChosen ? [...others, id] : others
}
