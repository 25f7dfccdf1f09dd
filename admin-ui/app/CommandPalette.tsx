import { Search } from 'lucide-react';
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { Text } from 'react-aria-components/Text';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../shared/contract/auth.ts';
import '../components/Dialog.css';
import '../components/Menu.css';
import './CommandPalette.css';
import { type PaletteGroup, usePaletteItems } from './usePaletteItems.ts';

/** Go anywhere with a few letters. The field keeps the focus; arrow keys move through what was found. */
export function CommandPalette({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const groups = usePaletteItems(me, typed);
  const run = (key: string) => {
    onClose();
    groups
      .flatMap((group) => group.items.map((item) => ({ key: keyOf(group, item.id), item })))
      .find((each) => each.key === key)
      ?.item.run();
  };
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => !open && onClose()} className="dialog-veil palette-veil">
      <Modal className="palette">
        <Dialog className="palette-dialog" aria-label={t('palette.title')}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label={t('palette.placeholder')} autoFocus className="palette-field" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
              <Group className="palette-input">
                <Search aria-hidden />
                <Input placeholder={t('palette.placeholder')} />
              </Group>
            </SearchField>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <section className="palette-scroll" tabIndex={0} aria-label={t('palette.found')}>
              <Menu
                className="menu palette-list"
                aria-label={t('palette.title')}
                onAction={(key) => run(String(key))}
                renderEmptyState={() => <p className="palette-none">{t('palette.none')}</p>}
              >
                {groups.map((group) => (
                  <MenuSection key={group.id} id={group.id}>
                    <Header className="palette-group">{group.title}</Header>
                    {group.items.map((item) => (
                      <MenuItem key={item.id} id={keyOf(group, item.id)} textValue={item.name} className="menu-item">
                        <item.icon aria-hidden />
                        <span className="menu-text">
                          <Text slot="label" className="truncate">
                            {item.name}
                          </Text>
                        </span>
                        {item.hint && (
                          <Text slot="description" className="palette-hint">
                            {item.hint}
                          </Text>
                        )}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </section>
          </Autocomplete>
          <p className="palette-help">{t('palette.help')}</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const keyOf = (group: PaletteGroup, id: string): string => `${group.id}:${id}`;
