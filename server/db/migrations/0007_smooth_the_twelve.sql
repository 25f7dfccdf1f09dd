CREATE INDEX `invites_workspace` ON `invites` (`workspace_id`,`email`);--> statement-breakpoint
CREATE INDEX `invites_email` ON `invites` (`email`);--> statement-breakpoint
CREATE INDEX `tokens_workspace` ON `tokens` (`workspace_id`);