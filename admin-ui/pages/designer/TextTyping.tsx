import { lazy, Suspense } from 'react';
import type { TextEditorProps } from './typing/TextEditor.tsx';

/** Loaded when somebody types on a page for the first time: the editor is larger than the rest of the designer. */
const TextEditor = lazy(() => import('./typing/TextEditor.tsx').then((m) => ({ default: m.TextEditor })));

/** An editor over a text element, in which its words are typed. The drawn words stay until it is loaded. */
export function TextTyping(props: TextEditorProps) {
  return (
    <Suspense>
      <TextEditor {...props} />
    </Suspense>
  );
}
