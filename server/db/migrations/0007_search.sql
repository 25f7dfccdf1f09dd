DROP INDEX `content_workspace`;--> statement-breakpoint
ALTER TABLE `content` ADD `search_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `content` SET `search_name` = vitrine_fold(`filename`);--> statement-breakpoint
CREATE INDEX `content_newest` ON `content` (`workspace_id`,`created_at`,`id`,`search_name`);--> statement-breakpoint
CREATE INDEX `content_name` ON `content` (`workspace_id`,`search_name`,`id`);