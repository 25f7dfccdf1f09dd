import { useState } from 'react';

/** A heading that can be written into. Enter or leaving keeps it, Escape does not. */
export function TitleField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const keep = () => {
    const name = text.trim();
    if (name && name !== value) onChange(name);
    else setText(value);
  };
  return (
    <input
      className="title-field"
      aria-label={label}
      value={text}
      maxLength={200}
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setText(value);
      }}
    />
  );
}
