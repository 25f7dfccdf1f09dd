CREATE TABLE `bin_names` (
	`bin_id` text NOT NULL,
	`ref` text NOT NULL,
	PRIMARY KEY(`bin_id`, `ref`),
	FOREIGN KEY (`bin_id`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `bin_names_ref` ON `bin_names` (`ref`);--> statement-breakpoint
ALTER TABLE `content` ADD `uploaded_by` text;--> statement-breakpoint
ALTER TABLE `publish_requests` ADD `shows` text;--> statement-breakpoint
ALTER TABLE `hq_campaigns` ADD `asked_sha256` text;--> statement-breakpoint
INSERT OR IGNORE INTO `bin_names` (`bin_id`, `ref`)
SELECT b.`id`, t.`atom` FROM `bin` b, json_tree(b.`record`) t
WHERE t.`type` = 'text' AND (t.`key` IN ('id', 'ref', 'value') OR t.`key` LIKE '%\_id' ESCAPE '\') AND length(t.`atom`) BETWEEN 1 AND 100;
--> statement-breakpoint
INSERT OR IGNORE INTO `bin_names` (`bin_id`, `ref`)
WITH RECURSIVE `texts`(`bin_id`, `text`) AS (
  SELECT b.`id`, t.`atom` FROM `bin` b, json_tree(b.`record`) t WHERE t.`key` = 'config' AND t.`type` = 'text' AND json_valid(t.`atom`)
), `found`(`bin_id`, `kind`, `rest`) AS (
  SELECT `bin_id`, '', `text` FROM `texts`
  UNION ALL
  SELECT `bin_id`, substr(`rest`, instr(`rest`, '/api/') + 5, 6), substr(`rest`, instr(`rest`, '/api/') + 5) FROM `found` WHERE instr(`rest`, '/api/') > 0
)
SELECT `bin_id`, substr(`rest`, instr(`rest`, '/') + 1, 36) FROM `found` WHERE `kind` IN ('conten', 'kiosk/')
UNION SELECT `texts`.`bin_id`, t.`atom` FROM `texts`, json_tree(`texts`.`text`) t WHERE t.`type` = 'text' AND length(t.`atom`) = 36;
